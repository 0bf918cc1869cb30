import { authorizerSample, gatewaySample } from './gateway-sample.ts';
import { authorizedCall, sampleCalls } from './sample-calls.ts';
import { workerSamples } from './worker-samples.ts';

/** Returns the sample events for `sam local invoke` by file name in `events/`: `<function>.<what>.json`. */
export const sampleEvents = (): Record<string, string> => {
  const samples: Record<string, object> = {
    'authorizer.api-key': authorizerSample(authorizedCall),
    ...Object.fromEntries(Object.entries(sampleCalls).map(([name, call]) => [name, gatewaySample(call)])),
    ...workerSamples,
  };
  return Object.fromEntries(
    Object.entries(samples).map(([name, sample]) => [`${name}.json`, `${JSON.stringify(sample, null, 2)}\n`]),
  );
};
