/**
 * Returns whether a rule of AND (`&&`), OR (`||`) and parentheses holds; `holds` decides its atoms. AND binds closer than OR, as in
 * alarm rules and filter patterns of CloudWatch.
 */
export const ruleHolds = (rule: string, atom: RegExp, holds: (atom: string) => boolean): boolean => {
  const token = new RegExp(`${atom.source}|&&|\\|\\||\\bAND\\b|\\bOR\\b|[()]|\\S+`, 'g');
  const tokens = [...rule.matchAll(token)].map(([text]) => text);
  let at = 0;
  const takes = (...texts: string[]): boolean => {
    if (!texts.includes(tokens[at] ?? '')) return false;
    at++;
    return true;
  };
  const either = (): boolean => {
    let result = both();
    while (takes('OR', '||')) result = both() || result;
    return result;
  };
  const both = (): boolean => {
    let result = one();
    while (takes('AND', '&&')) result = one() && result;
    return result;
  };
  const one = (): boolean => {
    if (!takes('(')) {
      const text = tokens[at++] ?? '';
      if (!new RegExp(`^${atom.source}$`).test(text))
        throw new Error(`${text} is no part of a rule: ${rule}`);
      return holds(text);
    }
    const result = either();
    if (!takes(')')) throw new Error(`A parenthesis is open: ${rule}`);
    return result;
  };
  const result = either();
  if (at < tokens.length) throw new Error(`${tokens[at] ?? ''} follows the rule: ${rule}`);
  return result;
};
