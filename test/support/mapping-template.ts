import { render } from 'velocityjs';

type Json = Record<string, unknown>;

/** Lists of Java, which the engine of API Gateway has. */
const contains = {
  uid: 'contains',
  match: ({ property, context }: { property: string; context: unknown }) =>
    property === 'contains' && Array.isArray(context),
  resolve: ({ context, params }: { context: unknown; params: unknown[] }) =>
    (context as unknown[]).includes(params[0]),
};

/**
 * Renders a mapping template by an implementation of the template language (VTL) that is not ours: returns the body and the headers
 * that it overrides. `context` is `$context`.
 */
export const renderTemplate = (
  template: string,
  sent: Readonly<Record<string, string | undefined>>,
  context: Readonly<Json> = {},
): { headers: Record<string, string>; body: string } => {
  const headers: Record<string, string> = {};
  const params = () => ({ header: { get: (name: string) => sent[name] } });
  const values = { context: { ...context, responseOverride: { header: headers } }, input: { params } };
  return { body: render(template, values, {}, { customMethodHandlers: [contains] }), headers };
};
