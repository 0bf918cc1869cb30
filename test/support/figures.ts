import { vi } from 'vitest';

/** A metric as CloudWatch reads it from a log line. */
export interface Figure {
  namespace: string;
  name: string;
  unit: string;
  dimensions: Record<string, string>;
  value: number;
}

interface EmbeddedLine extends Record<string, unknown> {
  _aws: {
    Timestamp: number;
    CloudWatchMetrics: {
      Namespace: string;
      Dimensions: string[][];
      Metrics: { Name: string; Unit: string }[];
    }[];
  };
}

/** Returns the metrics recorded while a verb ran, from standard output. */
export const figuresOf = async (verb: () => Promise<unknown>): Promise<Figure[]> =>
  (await metricLinesOf(verb)).flatMap(figuresIn);

/** Returns the lines of metrics written while a verb ran. */
export const metricLinesOf = async (verb: () => Promise<unknown>): Promise<EmbeddedLine[]> => {
  const lines: string[] = [];
  const before = process.env['METRICS_DISABLED'];
  const stage = process.env['STAGE'];
  process.env['METRICS_DISABLED'] = 'false';
  process.env['STAGE'] = 'dev';
  const write = vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    lines.push(...String(text).split('\n'));
    return true;
  });
  try {
    await verb();
  } finally {
    write.mockRestore();
    restore('METRICS_DISABLED', before);
    restore('STAGE', stage);
  }
  return lines.filter((line) => line.includes('"_aws"')).map((line) => JSON.parse(line) as EmbeddedLine);
};

const restore = (name: string, value: string | undefined): void => {
  if (value === undefined) Reflect.deleteProperty(process.env, name);
  else process.env[name] = value;
};

const figuresIn = (line: EmbeddedLine): Figure[] =>
  line._aws.CloudWatchMetrics.flatMap(({ Namespace, Dimensions, Metrics }) =>
    Dimensions.flatMap((names) =>
      Metrics.map(({ Name, Unit }) => ({
        namespace: Namespace,
        name: Name,
        unit: Unit,
        dimensions: Object.fromEntries(names.map((name) => [name, String(line[name])])),
        value: Number([line[Name]].flat()[0]),
      })),
    ),
  );
