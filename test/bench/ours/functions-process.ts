/** The gateway and the functions of the API in a process of their own. */
import { allow } from '../../../functions/authorizer/policy.ts';
import { routeGroups } from '../../../functions/routes.ts';
import { search } from '../../../functions/search/index.ts';
import { loadFunction } from '../../../infra/local/functions.ts';
import { createGateway, type GroupFunction } from '../../../infra/local/gateway/index.ts';
import { listen } from '../../../infra/local/gateway/listen.ts';
import { callerRef } from '../../../shared/platform/auth.ts';
import { environment } from '../../../shared/platform/environment/environment.ts';
import { answerCalls } from '../processes.ts';
import { guestOf } from '../seed.ts';

export interface FunctionCalls {
  /** Returns the address. Without a cache, search reads its cells for each request. */
  serve: (what: { folder: string; settings: Record<string, string>; cached: boolean }) => Promise<string>;
  [name: string]: (argument: never) => unknown;
}

/** The guests who take turns: each has a list of bookings as a guest of a real service has. */
const guests = 1000;

const groups = ['checkout', 'availability', 'search'];

answerCalls({
  serve: async ({ folder, settings, cached }) => {
    Object.assign(process.env, settings);
    const load = (group: string) =>
      group === 'search' && !cached
        ? search(environment, { keepMs: 0 })
        : loadFunction(folder, group, { SERVICE_NAME: group });
    const functions = new Map(groups.map((group) => [group, load(group) as unknown as GroupFunction]));
    let asked = 0;
    const gateway = createGateway({
      groups: routeGroups,
      functionOf: (group) => functions.get(group),
      // The gateway keeps the authorizer's answer, on AWS too.
      authorizer: async ({ methodArn }) => {
        const guest = guestOf(asked++ % guests);
        return allow(methodArn, callerRef(guest), guest);
      },
      onFault: (what, cause) => console.error(what, cause),
    });
    return (await listen(gateway, { port: 0 })).url;
  },
} satisfies FunctionCalls);
