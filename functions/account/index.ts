import { getMe, logOut, updateMe } from '../../shared/domain/people/index.ts';
import { environment } from '../../shared/platform/environment/environment.ts';
import { withIdentity } from '../../shared/platform/environment/identity-environment.ts';
import { serve } from '../../shared/platform/http/serve.ts';
import { accountRoutes } from './routes.ts';

export const account = serve(accountRoutes, {
  getMe,
  updateMe: (ctx, { body }) => updateMe(ctx, body),
  logOut,
});

/** The Lambda handler of the account routes. */
export const handler = account(withIdentity(environment));
