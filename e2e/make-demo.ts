/**
 * Generates the app's demo recording (`/pages/demo`):
 *
 *   node e2e/make-demo.ts
 *
 * flite synthesizes a talk and reports the time of each word. The server's code builds paragraphs, summary and mind map
 * from them. Speech recognition is not involved, because the words are known. Run this script after changes to the talk
 * or the analyzer. Needs the Debian packages `flite` and `opus-tools`.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SAMPLE_RATE } from '@linnet/audio/format';
import { PeakMeter } from '@linnet/audio/peaks';
import { writeWave } from '@linnet/audio/wave';
import { createBuiltinAnalyzer } from '@linnet/server/analyzer';
import { toMindMap } from '@linnet/server/mind-map';
import { toParagraphs } from '@linnet/server/paragraphs';
import { demoTalk } from '@linnet/virtual-recorder/scenes/demo-talk';
import { type SpokenWord, synthesize } from '@linnet/virtual-recorder/scenes/speak';

/** Edits by a fictional user: speaker names and a marker. */
const speakers = { 1: 'Anna', 2: 'Ben' };
const markedWord = 'Then';
/** A Monday morning. Relative dates in the talk refer to it. */
const recordedAt = new Date('2026-11-16T09:30:00Z');
/** Bit rate in kbit/s: clear speech in a small file. */
const bitRate = '20';
const demoFolder = new URL('../apps/app/src/features/demo/', import.meta.url);

const temporaryFolder = mkdtempSync(join(tmpdir(), 'demo-'));
try {
  const { samples, words } = synthesize(demoTalk, temporaryFolder, true);
  const wavePath = join(temporaryFolder, 'demo.wav');
  writeFileSync(wavePath, writeWave(samples, SAMPLE_RATE));
  const audioPath = new URL('demo.ogg', demoFolder).pathname;
  execFileSync('opusenc', ['--quiet', '--bitrate', bitRate, '--serial', '1', wavePath, audioPath]);

  const voices = [...new Set(words.map(({ voice }) => voice))];
  const roundToThousandths = (seconds: number) => Math.round(seconds * 1000) / 1000;
  const timedWords = words.map(({ text, start, end, voice }: SpokenWord) => ({
    ...{ text, start: roundToThousandths(start), end: roundToThousandths(end), confidence: 1 },
    speaker: String(voices.indexOf(voice) + 1),
  }));
  const paragraphs = toParagraphs(timedWords, { language: 'en', punctuated: true }).map(
    (paragraph, index) => ({ id: `p${index + 1}`, ...paragraph }),
  );
  const analyzer = createBuiltinAnalyzer();
  const { title, brief, summary, keywords, document } = await analyzer.analyze({
    language: 'en',
    recordedAt,
    structures: analyzer.structures.filter((structure) => structure !== 'custom'),
    paragraphs: paragraphs.map(({ id, start, end, content, words: paragraphWords }) => ({
      ...{ id, start, end, text: content, words: paragraphWords },
    })),
  });
  const meter = new PeakMeter();
  meter.push(samples);
  const demo = {
    title: demoTalk.title,
    ai_title: title,
    recorded_at: recordedAt.toISOString(),
    seconds: roundToThousandths(samples.length / SAMPLE_RATE),
    ...{ brief, summary, keywords, document },
    speakers,
    markers: timedWords
      .filter(({ text }) => text === markedWord)
      .map(({ start }) => ({ id: 'm1', time: start, label: 'Readers' })),
    mind_map: toMindMap(title || demoTalk.title, document),
    paragraphs: paragraphs.map(({ id, start, end, content, speaker, words: paragraphWords }) => ({
      ...{ id, start_time: start, end_time: end, content, is_tag: 0, speaker },
      words: paragraphWords.map(({ text, start: from, end: to }) => [text, from, to]),
    })),
    peaks: Buffer.from(meter.peaks()).toString('base64'),
  };
  writeFileSync(new URL('demo.json', demoFolder), `${JSON.stringify(demo)}\n`);
  console.log(`${demo.seconds} s, ${paragraphs.length} paragraphs`);
} finally {
  rmSync(temporaryFolder, { recursive: true });
}
