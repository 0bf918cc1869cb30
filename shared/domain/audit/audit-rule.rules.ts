/** Ids and figures of records that disagree. Never personal data: it is logged. */
export type Figures = Record<string, number | string | null>;

/** A statement that holds for all records of a subject while nothing is written. */
export interface AuditRule<Subject> {
  name: string;
  /** The statement; the docs and the log show it. */
  holds: string;
  /** Returns where it does not hold; empty if it does. */
  violations: (subject: Subject) => Figures[];
}

/** A violation of a rule. */
export interface Violation {
  rule: string;
  where: Figures;
}

export const violationsOf = <Subject>(rules: readonly AuditRule<Subject>[], subject: Subject): Violation[] =>
  rules.flatMap(({ name, violations }) => violations(subject).map((where) => ({ rule: name, where })));
