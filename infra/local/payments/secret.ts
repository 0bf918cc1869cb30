/** What the sandbox signs its reports with; nothing but this machine reaches it. */
export const sandboxSecret = 'nightlatch-local-sandbox';
