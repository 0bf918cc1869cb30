/** Who says which job of GitHub Actions asks for a role. */
export const releaseIssuer = 'token.actions.githubusercontent.com';
