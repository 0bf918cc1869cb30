interface TickProps {
  label: string;
  isTicked: boolean;
  onTick: (isTicked: boolean) => void;
}

/** Yes or no. */
export const Tick = ({ label, isTicked, onTick }: TickProps) => (
  <label class="check">
    <input
      type="checkbox"
      checked={isTicked}
      onChange={({ currentTarget: { checked } }) => onTick(checked)}
    />
    {label}
  </label>
);
