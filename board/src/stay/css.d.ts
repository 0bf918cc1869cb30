declare module '*.css' {
  /** Of the script for pages of hosts: its style, as text. */
  const text: string;
  export default text;
}
declare const API_URL: string;
