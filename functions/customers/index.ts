import {
  getCustomer,
  listCustomers,
  logInCustomer,
  readEmailVerification,
  readLoginStatus,
  registerCustomer,
  removeCustomer,
  requestPasswordReset,
  resendVerification,
  updateCustomer,
} from '../../shared/domain/people/index.ts';
import { environment } from '../../shared/platform/environment/environment.ts';
import { withIdentity } from '../../shared/platform/environment/identity-environment.ts';
import { serve } from '../../shared/platform/http/serve.ts';
import { teamsOf } from '../../shared/platform/http/team-ids.ts';
import { customersRoutes } from './routes.ts';

export const customers = serve(customersRoutes, {
  registerCustomer: (ctx, { body }) => registerCustomer(ctx, body),
  logInCustomer: (ctx, { body }) => logInCustomer(ctx, body),
  requestPasswordReset: (ctx, { body }) => requestPasswordReset(ctx, body),
  listCustomers: (ctx, { query: { team_id, team_ids, ...paging } }) => {
    const teams = teamsOf(ctx.caller, team_ids);
    const wanted = team_id === undefined ? teams : teams.filter((team) => team === team_id);
    return listCustomers(ctx, { team_ids: wanted }, paging);
  },
  getCustomer: (ctx, { params }) => getCustomer(ctx, params.user_id),
  updateCustomer: (ctx, { params, body }) => updateCustomer(ctx, params.user_id, body),
  removeCustomer: (ctx, { params }) => removeCustomer(ctx, params),
  readLoginStatus: (ctx, { params }) => readLoginStatus(ctx, params.user_id),
  resendVerification: (ctx, { params }) => resendVerification(ctx, params.user_id),
  readEmailVerification: (ctx, { params }) => readEmailVerification(ctx, params.user_id),
});

/** The Lambda handler of the partners' customers. */
export const handler = customers(withIdentity(environment));
