/**
 * Renders the PNG icons from the SVG mark with the Chromium of the tests: `node apps/app/scripts/icons.mjs`. Run it
 * after changing the mark; the PNGs are committed.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { chromium } from '@playwright/test';

const folder = new URL('../public/icons/', import.meta.url);
const ios = new URL('../ios/App/App/Assets.xcassets/AppIcon.appiconset/', import.meta.url);
const mark = await readFile(new URL('linnet.svg', folder), 'utf8');

/**
 * The drawing of a maskable icon is limited to the middle 80%; other icons fill their square. iOS rounds the corners.
 * Android uses vector icons.
 */
const icons = [
  { name: 'linnet-192', size: 192, part: 0.74, radius: 0.22 },
  { name: 'linnet-512', size: 512, part: 0.74, radius: 0.22 },
  { name: 'linnet-maskable-512', size: 512, part: 0.56, radius: 0 },
  { name: 'AppIcon', size: 1024, part: 0.66, radius: 0, to: ios },
];

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: ['--headless', '--no-sandbox', '--disable-gpu'],
});
const page = await browser.newPage({ colorScheme: 'light' });
for (const { name, size, part, radius, to = folder } of icons) {
  await page.setViewportSize({ width: size, height: size });
  await page.setContent(`
    <style>
      body { margin: 0; background: transparent }
      div { display: grid; place-items: center; width: 100vw; height: 100vh;
            background: #fbf8f4; border-radius: ${radius * size}px }
      svg { width: ${part * size}px }
      svg .cut { stroke: #fbf8f4 } svg .eye { fill: #fbf8f4 }
    </style>
    <div>${mark}</div>`);
  const png = await page.screenshot({ omitBackground: radius > 0 });
  await writeFile(new URL(`${name}.png`, to), png);
}
await browser.close();
