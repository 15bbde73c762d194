/**
 * Makes the recording that the app brings along (`/pages/demo`):
 *
 *   node e2e/make-demo.ts
 *
 * flite speaks a talk, and tells when each word is said; the server's own rules make paragraphs of the words,
 * and its own analyser and mind map what is shown of them. No engine listens: what was said is known. Only
 * needed after a change of the talk or of the analyser; wants the Debian packages `flite` and `opus-tools`.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SAMPLE_RATE } from '@linnet/audio/format';
import { PeakMeter } from '@linnet/audio/peaks';
import { writeWave } from '@linnet/audio/wave';
import { createBuiltinAnalyser } from '@linnet/server/analyser';
import { toMindMap } from '@linnet/server/mind-map';
import { toParagraphs } from '@linnet/server/paragraphs';
import { demoTalk } from '@linnet/virtual-recorder/scenes/demo-talk';
import { perform, type SaidWord } from '@linnet/virtual-recorder/scenes/speak';

/** What its owner would have done: named who speaks, and set a marker. */
const speakers = { 1: 'Anna', 2: 'Ben' };
const marked = 'Then';
/** A Monday morning: what is said of days counts from here. */
const recordedAt = new Date('2026-11-16T09:30:00Z');
/** Bits per second: speech stays clear, and the file small. */
const bitRate = '20';
const place = new URL('../apps/app/src/features/demo/', import.meta.url);

const folder = mkdtempSync(join(tmpdir(), 'demo-'));
try {
  const { samples, words } = perform(demoTalk, folder);
  const wave = join(folder, 'demo.wav');
  writeFileSync(wave, writeWave(samples, SAMPLE_RATE));
  const sound = new URL('demo.ogg', place).pathname;
  execFileSync('opusenc', ['--quiet', '--bitrate', bitRate, '--serial', '1', wave, sound]);

  const voices = [...new Set(words.map(({ voice }) => voice))];
  const rounded = (seconds: number) => Math.round(seconds * 1000) / 1000;
  const said = words.map(({ text, start, end, voice }: SaidWord) => ({
    ...{ text, start: rounded(start), end: rounded(end), confidence: 1 },
    speaker: String(voices.indexOf(voice) + 1),
  }));
  const paragraphs = toParagraphs(said, { language: 'en', punctuated: true }).map(
    (paragraph, index) => ({ id: `p${index + 1}`, ...paragraph }),
  );
  const analyser = createBuiltinAnalyser();
  const { title, brief, summary, keywords, document } = await analyser.analyse({
    language: 'en',
    recordedAt,
    structures: analyser.structures.filter((structure) => structure !== 'custom'),
    paragraphs: paragraphs.map(({ id, start, end, content, words: own }) => ({
      ...{ id, start, end, text: content, words: own },
    })),
  });
  const meter = new PeakMeter();
  meter.push(samples);
  const demo = {
    title: demoTalk.title,
    ai_title: title,
    recorded_at: recordedAt.toISOString(),
    seconds: rounded(samples.length / SAMPLE_RATE),
    ...{ brief, summary, keywords, document },
    speakers,
    markers: said
      .filter(({ text }) => text === marked)
      .map(({ start }) => ({ id: 'm1', time: start, label: 'Readers' })),
    mind_map: toMindMap(title || demoTalk.title, document),
    paragraphs: paragraphs.map(({ id, start, end, content, speaker, words: own }) => ({
      ...{ id, start_time: start, end_time: end, content, is_tag: 0, speaker },
      words: own.map(({ text, start: from, end: to }) => [text, from, to]),
    })),
    peaks: Buffer.from(meter.peaks()).toString('base64'),
  };
  writeFileSync(new URL('demo.json', place), `${JSON.stringify(demo)}\n`);
  console.log(`${demo.seconds} s, ${paragraphs.length} paragraphs`);
} finally {
  rmSync(folder, { recursive: true });
}
