/** How the page looks: first on a telephone. */
export const pageStyle = `body{margin:0;background:#f3f1ec;color:#22252b;font:17px/1.55 system-ui,sans-serif}
main{box-sizing:border-box;max-width:36rem;margin:0 auto;padding:1rem}
h1{margin:.5rem 0;font-size:1.5rem;line-height:1.3}
h2{margin:0 0 .5rem;font-size:1.15rem}
section{margin:1rem 0;padding:1rem;background:#fff;border-radius:.75rem}
dl{margin:0;display:grid;grid-template-columns:auto 1fr;gap:.25rem .75rem}
dt{color:#5c6068}
dd{margin:0;text-align:right;overflow-wrap:anywhere}
ol{margin:0 0 1rem;padding:0;list-style:none}
li{margin:.5rem 0;padding:.5rem .75rem;background:#f3f1ec;border-radius:.5rem;white-space:pre-line;overflow-wrap:anywhere}
li.own{background:#f7ecd6}
small{display:block;color:#5c6068}
label{display:block;margin:.5rem 0}
input,textarea,select{box-sizing:border-box;width:100%;min-height:2.75rem;padding:.5rem;border:1px solid #767a82;border-radius:.5rem;background:#fff;color:inherit;font:inherit}
button,a.button{box-sizing:border-box;display:block;width:100%;min-height:3rem;margin:.75rem 0 0;padding:.75rem;border:0;border-radius:.5rem;background:#7a5a1f;color:#fff;font:inherit;text-align:center;text-decoration:none}
button.plain{background:none;color:#5a4216;text-decoration:underline}
button:disabled{background:#5c6068}
:focus-visible{outline:3px solid #22252b;outline-offset:2px}
[role=alert]{margin:.75rem 0 0;color:#9c1c1c;font-weight:600}
[role=alert]:empty{display:none}
img{display:block;width:100%;max-width:16rem;margin:1rem auto}`;
