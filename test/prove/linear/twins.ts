/** A request with its clock and answer, before it is known what it did. */
export interface Asking<Request, Answer> {
  name: string;
  /** The same for requests of which only the first takes effect; undefined for one that stands alone. */
  twinOf: string | undefined;
  request: Request;
  begin: number;
  end: number;
  /** The service's clock, as far as the client can know it. */
  since: number;
  by: number;
  answer: Answer | undefined;
}

/** How an answer counts: a decision, certainly nothing, or unknown. */
type Weight = 'decided' | 'nothing' | 'unknown';

/**
 * Joins the requests that are one: they take effect once, after the first of them began, and before the first answer that
 * reports it. What is certain to have done nothing is left out.
 */
export const joinTwins = <Request, Answer>(
  askings: readonly Asking<Request, Answer>[],
  weigh: (answer: Answer) => Weight,
): Asking<Request, Answer>[] => {
  let alone = 0;
  const groups = Map.groupBy(askings, ({ twinOf }) => twinOf ?? `\n${alone++}`);
  return [...groups.values()].flatMap((group) => {
    const [first] = group;
    const answered = group
      .filter(({ answer }) => answer !== undefined && weigh(answer) === 'decided')
      .sort((one, other) => one.end - other.end);
    const isNothing = group.every(({ answer }) => answer !== undefined && weigh(answer) === 'nothing');
    if (!first || isNothing) return [];
    const begin = Math.min(...group.map((one) => one.begin));
    const since = Math.min(...group.map((one) => one.since));
    const [decided] = answered;
    if (decided) return [{ ...decided, begin, since }];
    return [{ ...first, begin, since, end: Infinity, by: Infinity, answer: undefined }];
  });
};

/** What an answer with a status is: decisions are kept under their key, refusals of the request do nothing. */
export const weightOf = (status: number): Weight =>
  status < 300 || status === 402 || status === 409 || status === 410
    ? 'decided'
    : status < 500
      ? 'nothing'
      : 'unknown';
