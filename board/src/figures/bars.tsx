interface BarsProps {
  title: string;
  bars: readonly { name: string; value: number | null; text: string }[];
  /** What fills the whole width; absent: the highest of them. */
  most?: number;
}

const rowPx = 38;
const longest = 28;

const cut = (name: string): string => {
  const characters = Array.from(name);
  return characters.length > longest ? `${characters.slice(0, longest - 1).join('')}…` : name;
};

/** A bar for each home. The same values are in the table below, so those who do not see it lose nothing. */
export const Bars = ({ title, bars, most }: BarsProps) => {
  const whole = most ?? Math.max(...bars.map(({ value }) => value ?? 0));
  return (
    <figure class="bars">
      <figcaption>{title}</figcaption>
      <svg width="100%" height={bars.length * rowPx} aria-hidden="true">
        {bars.map(({ name, value, text }, at) => {
          const percent = whole > 0 ? (100 * Math.max(0, value ?? 0)) / whole : 0;
          return (
            <g key={at} transform={`translate(0 ${at * rowPx})`}>
              <title>{`${name}: ${text}`}</title>
              <text x="0" y="15">
                {cut(name)}
              </text>
              <text class="value" x="100%" y="15" text-anchor="end">
                {text}
              </text>
              <rect class="ground" y="21" width="100%" height="9" rx="3" />
              <rect class="value" y="21" width={`${Math.min(100, percent)}%`} height="9" rx="3" />
            </g>
          );
        })}
      </svg>
    </figure>
  );
};
