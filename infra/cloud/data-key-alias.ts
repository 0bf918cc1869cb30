/** Returns the name of the key of KMS from which a stage's data keys are made. */
export const dataKeyAlias = (stage: string): string => `alias/nightlatch-${stage}-data`;
