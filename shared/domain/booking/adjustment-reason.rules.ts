import type { OrderItem } from './order.entity.ts';

type Adjustment = NonNullable<OrderItem['request']['adjustments']>[number];

/** Returns the adjustments of a price that a change has added and taken out. */
export const adjustmentsChanged = (
  before: Pick<OrderItem, 'request'> | undefined,
  after: Pick<OrderItem, 'request'>,
): Record<'added' | 'takenOut', Adjustment[]> => {
  const [was, is] = [before?.request.adjustments ?? [], after.request.adjustments ?? []];
  const isIn = (list: readonly Adjustment[], { id }: Adjustment): boolean =>
    list.some((one) => one.id === id);
  return {
    added: is.filter((one) => !isIn(was, one)),
    takenOut: was.filter((one) => !isIn(is, one)),
  };
};

/** How the reason of a refund begins that an adjustment has caused; its labels follow. */
const reasons = { added: 'Adjustment: ', takenOut: 'Adjustment taken out: ' } as const;

/** Returns why a change refunds, where it has adjusted the price (D121): by the labels, as the guest reads them. */
export const adjustmentReason = (changed: ReturnType<typeof adjustmentsChanged>): string | undefined => {
  const kind = changed.added.length > 0 ? 'added' : 'takenOut';
  const labels = changed[kind].map(({ label }) => label);
  return labels.length === 0 ? undefined : reasons[kind] + labels.join(', ');
};

/** Returns the labels of a reason that {@link adjustmentReason} has made; undefined: it is another one. */
export const adjustmentsOfReason = (
  reason: string,
): { kind: keyof typeof reasons; labels: string } | undefined => {
  const kinds = Object.keys(reasons) as (keyof typeof reasons)[];
  const kind = kinds.find((one) => reason.startsWith(reasons[one]));
  return kind && { kind, labels: reason.slice(reasons[kind].length) };
};
