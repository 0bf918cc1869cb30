import { Logger } from '@aws-lambda-powertools/logger';

/** The structured log of a function; level and service name come from the environment. */
export const log = new Logger();
