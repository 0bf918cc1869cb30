export { startStream, type StreamHandler } from './start-stream.ts';
