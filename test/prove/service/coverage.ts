import { routeGroups } from '../../../functions/routes.ts';

/** Verbs that histories do not call, with the reason. */
const leftOut: Readonly<Record<string, string>> = {
  getRoot: 'answers the same always',
  getHealth: 'answers the same always',
  getOpenApiDocument: 'answers the same always',
  getDocs: 'answers the same always',
  getDocsAsset: 'answers the same always',
};

const verbs = routeGroups.flatMap(({ routes }) => Object.keys(routes));

/** Returns the verbs of the route table that were not answered and are not left out. */
export const unreached = (answers: ReadonlyMap<string, number>): string[] => {
  const reached = new Set([...answers.keys()].map((name) => name.split(' ')[0]));
  return verbs.filter((verb) => !reached.has(verb) && !(verb in leftOut));
};
