const noStreams = (): never => {
  throw new Error('Bundles contain no event streams: see infra/bundling.ts.');
};

/**
 * Replaces the SDK's codec of event streams in bundles, which is 15 KB of each: no operation that the service calls has an
 * event stream.
 */
export const eventStreamSerdeProvider = noStreams;

export class EventStreamSerde {
  serializeEventStream = noStreams;
  deserializeEventStream = noStreams;
}
