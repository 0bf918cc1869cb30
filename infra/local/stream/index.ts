export { type EventFilter } from './event-filter.ts';
export { startStream, type Stream, type StreamHandler, type StreamOptions } from './start-stream.ts';
