import { machineText, type Report, sectionsOf, type Section } from './report.ts';

/** A group of bars. */
interface Bars {
  label: string;
  bars: { name: string; value: number }[];
}

const escaped = (text: string): string => text.replace(/[&<>"]/g, (sign) => `&#${sign.codePointAt(0)};`);

const colours = ['#1b6ca8', '#e08e45', '#7a7a7a'];
const [labelWidth, barWidth, barHeight, groupGap] = [190, 560, 18, 10];

/** Returns horizontal bars in groups as SVG, each with its value. */
const barChart = (title: string, unit: string, groups: readonly Bars[]): string => {
  const most = Math.max(...groups.flatMap(({ bars }) => bars.map(({ value }) => value)), 1e-9);
  let y = 0;
  const drawn = groups.map(({ label, bars }) => {
    const top = y;
    y += bars.length * barHeight + groupGap;
    const rects = bars.map(({ name, value }, at) => {
      const [width, line] = [Math.max(1, (value / most) * barWidth), top + at * barHeight];
      return `<rect x="${labelWidth}" y="${line}" width="${width.toFixed(1)}" height="${barHeight - 3}" fill="${colours[at % colours.length]}"/>
<text x="${labelWidth + width + 6}" y="${line + 12}">${escaped(`${Number(value.toPrecision(3))} ${unit}, ${name}`)}</text>`;
    });
    return `<text x="0" y="${top + 12}">${escaped(label)}</text>${rects.join('')}`;
  });
  return `<h3>${escaped(title)}</h3>
<svg viewBox="0 0 ${labelWidth + barWidth + 230} ${y}" role="img" aria-label="${escaped(title)}">${drawn.join('')}</svg>`;
};

const plotsOf = ({ load, floor, startUp }: Report): string[] => {
  const compared = load?.compared ?? [];
  const both = (value: (result: (typeof compared)[number]['ours']) => number) =>
    compared.map(({ operation, ours, baseline }) => ({
      label: operation,
      bars: [ours, ...(baseline ? [baseline] : [])].map((result) => ({
        name: result.name,
        value: value(result),
      })),
    }));
  const loadPlots = [
    barChart(
      'Requests a second',
      '',
      both(({ perSecond }) => perSecond),
    ),
    barChart(
      'p50',
      'ms',
      both(({ p50 }) => p50),
    ),
    barChart(
      'p99',
      'ms',
      both(({ p99 }) => p99),
    ),
    barChart(
      'CPU of a request',
      'ms',
      both(({ cpuMs }) => Object.values(cpuMs).reduce((sum, ms) => sum + ms, 0)),
    ),
  ];
  const floorBars = (floor ?? []).map(({ operation, cpuMs, bareCpuMs, emulatorCpuMs }) => ({
    label: operation,
    bars: [
      { name: 'function', value: cpuMs },
      { name: 'raw loop', value: bareCpuMs },
      { name: 'emulator', value: emulatorCpuMs },
    ],
  }));
  const startBars = (startUp ?? []).map(({ name, importMs, firstMs }) => ({
    label: name,
    bars: [
      { name: 'import', value: importMs },
      { name: 'first request', value: firstMs },
    ],
  }));
  return [
    ...(load ? loadPlots : []),
    ...(floor ? [barChart('CPU of one request at a time', 'ms', floorBars)] : []),
    ...(startUp ? [barChart('CPU of a start', 'ms', startBars)] : []),
  ];
};

const tableOf = ({ title, note, head, rows }: Section): string => {
  const line = (tag: string, cells: readonly string[]) =>
    `<tr>${cells.map((cell) => `<${tag}>${escaped(cell)}</${tag}>`).join('')}</tr>`;
  return `<h2>${escaped(title)}</h2><p>${escaped(note)}</p>
<table>${line('th', head)}${rows.map((cells) => line('td', cells)).join('\n')}</table>`;
};

/** Returns the page of a report, which needs no other file. */
export const pageOf = (report: Report): string => `<!doctype html>
<html lang="en"><meta charset="utf-8"><title>Nightlatch bench</title>
<style>
body { font: 15px/1.45 system-ui, sans-serif; max-width: 1000px; margin: 2rem auto; padding: 0 1rem; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
th, td { border-bottom: 1px solid #ccc; padding: 3px 10px 3px 0; text-align: left; }
svg { width: 100%; font-size: 12px; }
</style>
<h1>Nightlatch bench</h1>
<p>${escaped(report.date)}, <code>${escaped(report.command)}</code>, ${escaped(machineText())}.</p>
${sectionsOf(report).map(tableOf).join('\n')}
${plotsOf(report).join('\n')}
</html>
`;
