import { z } from 'zod';
import { limits } from '../limits.ts';
import { flag, orNumber, time } from './common.ts';
import { failure } from './entities.ts';
import { spokenLanguage } from './site.ts';

export const clientFlag = orNumber(z.string().min(1).max(64)).describe(
  'The ID that the client assigns to the recording, as in upload/ossFile.',
);

const passage = z
  .object({
    start: z.number().describe('Start time, in seconds from the start of the recording.'),
    end: z.number().describe('End time, in seconds.'),
    text: z.string(),
  })
  .meta({ id: 'LivePassage', description: 'Text recognized in a recording in progress.' });

const state = z
  .discriminatedUnion('status', [
    z.object({ status: z.literal('listening') }),
    z.object({ status: z.literal('stopped'), error: failure }),
  ])
  .meta({
    id: 'LiveState',
    description:
      '`listening` while more text may follow. Once `stopped`, the server ignores further packets, but keeps the existing text for the transcription.',
  });

const session = z
  .object({
    client_flag: clientFlag,
    language: spokenLanguage,
    received: z
      .int()
      .describe('The number of packets received, which is also the index of the next packet.'),
    state,
    first: z.int().describe('The index of the first passage in `passages`.'),
    passages: z
      .array(passage)
      .describe('Final (settled) passages in chronological order. They no longer change.'),
    tentative: passage
      .nullable()
      .describe('Text after the last final passage. It may still change.'),
    updated_at: time,
  })
  .meta({ id: 'LiveSession', description: 'The live text of a recording in progress.' });

const known = z
  .int()
  .min(0)
  .default(0)
  .describe(
    'The number of passages that the client already has. Only later passages are returned.',
  );

export const append = {
  body: z.object({
    client_flag: clientFlag,
    language: spokenLanguage.describe(
      'The language of the recording. Only the first call for a recording sets it.',
    ),
    first: z
      .int()
      .min(0)
      .max(limits.live.packets)
      .describe(
        'The index of the first packet in `packets`. Packets that the server already has are ignored. If earlier packets are missing, the server stores nothing, and `received` tells the client where to continue.',
      ),
    packets: z
      .base64()
      .max(Math.ceil(limits.live.appendBytes / 3) * 4)
      .describe(
        'Complete Opus packets of 160 bytes and 20 ms each, as on a recorder, in base64. May be empty.',
      ),
    ended: flag
      .default(false)
      .describe('True if the recording has ended and these are its last packets.'),
    words: z
      .array(z.string().trim().min(1).max(limits.vocabulary.entryMaxLength))
      .max(limits.recording.words)
      .optional()
      .describe(
        'Names and terms that the user added to the recording (`recording.word`), which speech recognition looks for from the next passage. Absent if they have not changed since the previous call.',
      ),
    known,
  }),
  data: session,
};

export const list = {
  body: z.object({
    client_flag: clientFlag
      .optional()
      .describe('If present, only the session of this recording is returned.'),
    known,
  }),
  data: z
    .object({ list: z.array(session) })
    .describe("The account's sessions that received packets within the last 24 hours."),
};

const watchedSession = z
  .object({
    ...session.shape,
    started_at: time.describe('When the first packets arrived.'),
    phase: z
      .enum(['recording', 'waiting', 'ended'])
      .describe(
        '`waiting`: no packets have arrived for ten seconds, for example because the recording is paused or the device is offline.',
      ),
  })
  .meta({ id: 'WatchedLiveSession', description: 'The live text of a recording in progress.' });

export const watch = {
  body: z.object({
    version: z
      .string()
      .max(64)
      .optional()
      .describe('The version from the previous response. Absent in the first call.'),
    wait: z
      .int()
      .min(0)
      .max(limits.live.watchSeconds)
      .default(0)
      .describe('Maximum time to wait for a new version, in seconds (long polling).'),
    known: z
      .array(z.object({ client_flag: clientFlag, passages: z.int().min(0) }))
      .max(limits.live.watched)
      .default([])
      .describe(
        'For each recording, the number of passages that the client already has. Only later passages are returned.',
      ),
    except: z
      .array(clientFlag)
      .max(limits.live.watched)
      .default([])
      .describe("Recordings to exclude, such as the client's own."),
  }),
  data: z.object({
    version: z.string().describe('Changes with the text, the phase and the list of recordings.'),
    list: z
      .array(watchedSession)
      .describe(
        'The recordings that received packets within the last ten minutes and have not been uploaded yet, oldest first.',
      ),
  }),
};
