export { isNewEvent, startStream, type StreamHandler } from './start-stream.ts';
