import { createHash } from 'node:crypto';
import type { InterfaceLanguage } from '@linnet/contract/interface-languages';
import { getDirection } from '@linnet/contract/interface-languages';
import { formatMoney } from '../../currency.ts';
import type { Row } from '../../db/database.ts';
import { escapeHtml } from '../../http/html.ts';
import { fill, toLocale, words } from '../../words/index.ts';
import { planName, planTerms } from './plans.ts';

/** HTML pages for the sandbox checkout, which simulates a payment service. They contain no scripts. */

/** Styles that match the app's. The values are copied from apps/app/src/ui/tokens.css. */
const style = `
:root {
  color-scheme: light dark;
  --paper: light-dark(#fbf8f4, #131110);
  --surface: light-dark(#ffffff, #1d1a18);
  --sunken: light-dark(#f4efe8, #0d0c0b);
  --ink: light-dark(#1c1b1a, #f3eee8);
  --ink-2: light-dark(#655f5a, #aba29a);
  --line: light-dark(#e8e2da, #302c29);
  --line-strong: light-dark(#cfc6bb, #4a4440);
  --amber: light-dark(#8a5800, #e8b45c);
  --amber-wash: light-dark(#fbf0dc, #2e2412);
  --face: system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif;
  --face-display: "Iowan Old Style", "New York", ui-serif, Charter, "Source Serif 4", Georgia, serif;
}
* { box-sizing: border-box; }
body {
  margin: 0;
  min-height: 100dvh;
  display: grid;
  place-items: center;
  padding: 20px 20px calc(20px + env(safe-area-inset-bottom, 0px));
  background: var(--paper);
  color: var(--ink);
  font: 16px/1.45 var(--face);
}
main { inline-size: 100%; max-inline-size: 400px; }
header { display: flex; align-items: center; gap: 8px; margin-block-end: 24px; }
header span { font: 600 20px/1.2 var(--face-display); letter-spacing: -0.01em; }
p { margin: 0; }
.notice {
  padding: 12px 16px;
  border-radius: 14px;
  background: var(--amber-wash);
  color: var(--amber);
  font-size: 14px;
}
.notice strong { display: block; font-size: 16px; }
.card {
  margin-block: 16px 24px;
  padding: 20px;
  border: 1px solid var(--line);
  border-radius: 14px;
  background: var(--surface);
}
h1 { margin: 0 0 4px; font: 600 20px/1.2 var(--face-display); letter-spacing: -0.01em; }
.price { margin-block: 12px 0; font-size: 28px; font-weight: 600; font-variant-numeric: tabular-nums; }
.small { color: var(--ink-2); font-size: 14px; }
form, .actions { display: grid; gap: 12px; }
button, .button {
  appearance: none;
  display: grid;
  place-items: center;
  inline-size: 100%;
  min-block-size: 52px;
  padding: 8px 20px;
  border: 1px solid var(--line-strong);
  border-radius: 999px;
  background: var(--surface);
  color: var(--ink);
  font: 600 16px/1.25 var(--face);
  text-align: center;
  text-decoration: none;
  cursor: pointer;
}
button.primary, .button.primary { background: var(--ink); border-color: transparent; color: var(--paper); }
button.quiet { border-color: transparent; background: none; }
button:focus-visible, .button:focus-visible { outline: 2px solid var(--ink); outline-offset: 2px; }
@media (hover: hover) {
  button:hover, .button:hover { background: var(--sunken); }
  button.primary:hover, .button.primary:hover { background: color-mix(in srgb, var(--ink) 88%, var(--paper)); }
}
`;

/**
 * Content-Security-Policy that allows only the inline stylesheet, same-origin images, and form posts to this server.
 */
export const sandboxPolicy = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`,
  "img-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

/**
 * Returns the HTML of the sandbox checkout.
 * @param action the URL that the form posts `choice` to
 * @param returnUrl the app's URL, for an order that is no longer pending
 */
export function sandboxPage(
  order: Pick<Row<'orders'>, 'plan' | 'price' | 'currency' | 'status'>,
  { action, returnUrl }: { action: string; returnUrl: string },
  language: InterfaceLanguage,
): string {
  const texts = words[language].checkout;
  const plan = planTerms[order.plan];
  const price = formatMoney({ amount: order.price, currency: order.currency }, toLocale(language));
  const terms =
    plan.kind === 'package'
      ? texts.packageTerms
      : plan.vipPlan === 'monthly'
        ? texts.monthlyTerms
        : texts.annualTerms;
  const choices =
    order.status === 'pending'
      ? `<form method="post" action="${escapeHtml(action)}">
<button class="primary" name="choice" value="success">${escapeHtml(fill(texts.pay, { price }))}</button>
<button name="choice" value="fail">${escapeHtml(texts.simulateFailure)}</button>
<button class="quiet" name="choice" value="cancel">${escapeHtml(texts.cancel)}</button>
</form>`
      : `<div class="actions">
<p role="status">${escapeHtml(texts.status[order.status])}</p>
<a class="button primary" href="${escapeHtml(returnUrl)}">${escapeHtml(texts.back)}</a>
</div>`;
  return page(
    `<p class="notice"><strong>${escapeHtml(texts.testTitle)}</strong> ${escapeHtml(texts.testHint)}</p>
<section class="card">
<h1>${escapeHtml(planName(order.plan, language))}</h1>
<p class="small">${escapeHtml(terms)}</p>
<p class="price">${escapeHtml(price)}</p>
</section>
${choices}`,
    language,
  );
}

/** Returns the HTML of the page for a checkout that doesn't exist. */
export function checkoutNotFound(language: InterfaceLanguage): string {
  const { notFound, notFoundHint } = words[language].checkout;
  return page(
    `<h1>${escapeHtml(notFound)}</h1>
<p class="small">${escapeHtml(notFoundHint)}</p>`,
    language,
  );
}

function page(body: string, language: InterfaceLanguage): string {
  return `<!doctype html>
<html lang="${language}" dir="${getDirection(language)}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">
<meta name="robots" content="noindex">
<title>${escapeHtml(words[language].checkout.title)}</title>
<link rel="icon" href="/icons/linnet.svg">
<style>${style}</style>
</head>
<body>
<main>
<header><img src="/icons/linnet.svg" alt="" width="32" height="32"><span>Linnet</span></header>
${body}
</main>
</body>
</html>
`;
}
