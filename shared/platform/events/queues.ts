/** Returns the name of the dead-letter queue of a queue. */
export const deadLetterQueueName = (queue: string): string => `${queue}-dead-letters`;

/** Returns the visibility timeout of a queue: six times the timeout of its worker, as AWS recommends. */
export const visibilityTimeoutSeconds = (workerSeconds: number): number => 6 * workerSeconds;
