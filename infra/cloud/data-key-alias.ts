/** Returns the name of the key of KMS from which a data key of a stage is made. */
export const dataKeyAlias = (stage: string, number: number): string =>
  `alias/nightlatch-${stage}-data-${number}`;
