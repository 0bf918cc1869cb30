/** Where the messages of a queue end that could not be handled: its name, of the same stage. */
export const deadLetterQueueName = (queue: string): string => `${queue}-dead-letters`;

/** How long a queue hides a message that a worker has in hand, in seconds: six times what the worker may take, as AWS advises. */
export const visibilityTimeoutSeconds = (workerSeconds: number): number => 6 * workerSeconds;
