/** Why a calendar of elsewhere is not imported, in words for the host. */
export class FeedProblem extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'FeedProblem';
  }
}
