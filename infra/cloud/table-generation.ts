/**
 * Returns the name of a stage's table. Generation 1 is the one that the stack makes; each later one was restored from a point
 * in time beside the one before it, which is kept.
 */
export const tableNameOf = (stage: string, generation: number): string =>
  generation === 1 ? `nightlatch-${stage}` : `nightlatch-${stage}-g${generation}`;
