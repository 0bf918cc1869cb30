const last = new Map<number, Promise<unknown>>();

/** Runs what this process has to do for a team one after the other: at once, the runs would only lose races to each other. */
export const inTurn = async (team: number, work: () => Promise<void>): Promise<void> => {
  const before = last.get(team) ?? Promise.resolve();
  const mine = before.then(work, work);
  last.set(team, mine);
  try {
    await mine;
  } finally {
    if (last.get(team) === mine) last.delete(team);
  }
};
