import { team } from '../../functions/team/index.ts';
import { teamRoutes } from '../../functions/team/routes.ts';
import { type GroupCalls, groupCalls } from './group-calls.ts';
import type { TestDependencies } from './table.ts';

export type TeamCalls = GroupCalls<typeof teamRoutes.routes>;

/** The routes of a team's keys and members, as its hosts call them. */
export const teamCalls = (deps: TestDependencies): TeamCalls =>
  groupCalls(
    team(
      () => deps,
      () => 'test',
    ),
    teamRoutes,
  );
