import { nearness } from './validation-messages.ts';

const mostSteps = 12;
const longestStep = 64;

/**
 * Returns the path template that is nearest to the requested path, with the requested values in it. Also finds paths whose
 * common prefix is missing or that have a slash too many.
 */
export const nearestPath = (asked: string, templates: readonly string[]): string | undefined => {
  const steps = stepsOf(asked);
  if (steps.length > mostSteps || steps.some((step) => step.length > longestStep)) return undefined;
  const given = steps[0] === 'api' ? [steps] : [steps, ['api', 'v1', ...steps]];
  const ranked = templates
    .flatMap((template) => given.map((tried) => fitted(tried, stepsOf(template))))
    .filter((fit) => fit !== undefined)
    .sort((one, other) => one.far - other.far || one.parameters - other.parameters);
  return ranked[0]?.path;
};

const stepsOf = (path: string): string[] => path.split('/').filter((step) => step !== '');

const fitted = (tried: readonly string[], template: readonly string[]) => {
  if (tried.length !== template.length) return undefined;
  const pairs = template.map((name, at) => ({
    name,
    given: tried[at] ?? '',
    isFixed: !name.startsWith('{'),
  }));
  const fixed = pairs.filter(({ isFixed }) => isFixed).map(({ name, given }) => nearness(given, name));
  if (fixed.includes(undefined)) return undefined;
  return {
    path: `/${pairs.map(({ name, given, isFixed }) => (isFixed ? name : given)).join('/')}`,
    far: fixed.reduce<number>((sum, far) => sum + (far ?? 0), 0),
    parameters: pairs.length - fixed.length,
  };
};
