import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { getDirection, type InterfaceLanguage } from '@linnet/contract/interface-languages';
import { Html, html } from '../../../http/html.ts';

const readAsset = (name: string) => readFileSync(new URL(name, import.meta.url), 'utf8');
const style = readAsset('style.css');
const script = readAsset('script.js');
const cspHash = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

/** Headers of every response under the path of share links. */
export const pageHeaders = {
  'content-security-policy': [
    "default-src 'none'",
    `style-src ${cspHash(style)}`,
    `script-src ${cspHash(script)}`,
    "img-src 'self'",
    "media-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
  'x-frame-options': 'DENY',
  'x-robots-tag': 'noindex, nofollow, noarchive',
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
  vary: 'accept-language',
} as const;

/** A page's parts. */
export interface PageParts {
  readonly language: InterfaceLanguage;
  readonly title: string;
  readonly main: Html;
  /** Shown at the bottom of the screen. */
  readonly player?: Html;
}

/** Returns a complete page. Styles and script are inlined, so a single request suffices. */
export function framePage({ language, title, main, player }: PageParts): string {
  const page = html`<html lang="${language}" dir="${getDirection(language)}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">
<meta name="robots" content="noindex, nofollow">
<meta name="color-scheme" content="light dark">
<title>${title} · Linnet</title>
<link rel="icon" href="/icons/linnet.svg">
<style>${new Html(style)}</style>
</head>
<body>
<main>
${main}
<footer><img src="/icons/linnet.svg" alt="" width="24" height="24"> Linnet</footer>
</main>
${player ?? null}
<script>${new Html(script)}</script>
</body>
</html>
`;
  return `<!doctype html>\n${page}`;
}
