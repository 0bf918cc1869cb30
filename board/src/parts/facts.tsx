/** Names with their values; what has no value is left out. */
export const Facts = ({ rows }: { rows: readonly (readonly [string, string | null | undefined])[] }) => (
  <dl class="facts">
    {rows.map(
      ([name, value]) =>
        value !== null &&
        value !== undefined &&
        value !== '' && (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ),
    )}
  </dl>
);
