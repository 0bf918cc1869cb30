import {
  listTeamMails,
  previewTeamMail,
  removeTeamMail,
  setTeamMail,
} from '../../shared/domain/notification/index.ts';
import {
  changeTeam,
  createTeamKey,
  getTeam,
  listTeamKeys,
  listTeamMembers,
  removeTeamMember,
  revokeTeamKey,
  rotateTeamKey,
  setTeamMember,
} from '../../shared/domain/people/index.ts';
import {
  getBankAccounts,
  removeReports,
  setBankAccount,
  setReports,
  stopBankAccount,
} from '../../shared/domain/transfer/index.ts';
import type { Dependencies } from '../../shared/platform/context.ts';
import { environment } from '../../shared/platform/environment/environment.ts';
import { readEnv, ServiceEnv } from '../../shared/platform/environment/env.ts';
import { withSealing } from '../../shared/platform/environment/sealing-environment.ts';
import { apiUrl, knowingApiUrl } from '../../shared/platform/http/api-url.ts';
import { serve } from '../../shared/platform/http/serve.ts';
import { teamRoutes } from './routes.ts';

/** The team routes over any dependencies; the stage is a part of every key. */
export const team = (deps: () => Dependencies, stage: () => string = () => readEnv(ServiceEnv).STAGE) =>
  knowingApiUrl(
    serve(teamRoutes, {
      getBankAccounts,
      setBankAccount: (ctx, { body }) => setBankAccount(ctx, body),
      stopBankAccount,
      setTransferReports: (ctx, { params, body }) => setReports(ctx, params.reporter, body, apiUrl()),
      removeTransferReports: (ctx, { params }) => removeReports(ctx, params.reporter),
      listTeamMails,
      setTeamMail: (ctx, { params, body }) => setTeamMail(ctx, params.name, body),
      removeTeamMail: (ctx, { params, query }) => removeTeamMail(ctx, params.name, query.language),
      previewTeamMail: (ctx, { params, body }) => previewTeamMail(ctx, params.name, body),
      getTeam,
      updateTeam: (ctx, { body }) => changeTeam(ctx, body),
      listTeamKeys: (ctx, { query }) => listTeamKeys(ctx, query),
      createTeamKey: (ctx, { body }) => createTeamKey(ctx, stage(), body),
      rotateTeamKey: (ctx, { params }) => rotateTeamKey(ctx, stage(), params.key_id),
      revokeTeamKey: (ctx, { params }) => revokeTeamKey(ctx, params.key_id),
      listTeamMembers,
      setTeamMember: (ctx, { body }) => setTeamMember(ctx, body, apiUrl()),
      removeTeamMember: (ctx, { params }) => removeTeamMember(ctx, params.user_id),
    })(deps),
  );

/** The Lambda handler of the team routes. */
export const handler = team(withSealing(environment));
