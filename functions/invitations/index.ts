import {
  acceptInvitation,
  getInvitation,
  requestInvitedReset,
  signUpTeam,
} from '../../shared/domain/people/index.ts';
import { environment } from '../../shared/platform/environment/environment.ts';
import { withIdentity } from '../../shared/platform/environment/identity-environment.ts';
import { type Clock, machineClock } from '../../shared/platform/time/clock.ts';
import type { Dependencies } from '../../shared/platform/context.ts';
import { serve } from '../../shared/platform/http/serve.ts';
import { getInvitationPage } from './page/get-invitation-page.ts';
import { invitationsRoutes } from './routes.ts';

/** The routes by which people come into a team, over any dependencies; tokens are of the provider's time, which the test clock does not move. */
export const invitations = (deps: () => Dependencies, tokenClock: Clock = machineClock) =>
  serve(invitationsRoutes, {
    getInvitationPage,
    getInvitation: (ctx, { params }) => getInvitation(ctx, params.token),
    acceptInvitation: (ctx, { params }) => acceptInvitation(ctx, params.token, tokenClock),
    requestInvitedReset: (ctx, { params }) => requestInvitedReset(ctx, params.token),
    createTeam: (ctx, { body }) => signUpTeam(ctx, body, tokenClock),
  })(deps);

/** The Lambda handler of the routes by which people come into a team. */
export const handler = invitations(withIdentity(environment));
