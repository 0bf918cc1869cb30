/** The signing secret of the sandbox's notifications; only this machine can reach it. */
export const sandboxSecret = 'nightlatch-local-sandbox';
