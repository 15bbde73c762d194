import { z } from 'zod';
import { limits } from '../limits.ts';
import { retentionPauses, retentionUnits } from '../retention.ts';
import { id, nothing, orText, pageSchema, paging, time } from './common.ts';

const { minDays, maxDays, maxMonths } = limits.retention;

/** The criteria that select the recordings a rule moves. */
const scope = {
  tag: z
    .string()
    .trim()
    .min(1)
    .max(limits.recording.tagMaxLength)
    .nullable()
    .describe('The rule applies only to recordings with this tag, or to all recordings if null.'),
  after: orText(z.int().min(1).max(maxDays)).describe(
    `The age at which recordings are moved, in \`unit\`s: ${minDays} to ${maxDays} days, or 1 to ${maxMonths} months.`,
  ),
  unit: z.enum(retentionUnits),
};

const isAllowedAge = ({ after, unit }: { after: number; unit: string }) =>
  unit === 'day' ? after >= minDays : after <= maxMonths;
const ageError = { error: `must be ${minDays} to ${maxDays} days, or 1 to ${maxMonths} months` };

export const rule = z
  .object({
    id: z.string(),
    tag: z.string().nullable(),
    after: z.int(),
    unit: z.enum(retentionUnits),
    created_at: time,
    acts_at: time.describe('When the rule may move recordings for the first time.'),
    paused: z
      .enum(retentionPauses)
      .nullable()
      .describe(
        'Why the rule is paused until it is saved again. `restored`: the server was restored from a backup. `clock`: the server was off for days, or its clock jumped. Null if the rule is not paused.',
      ),
  })
  .meta({
    id: 'RetentionRule',
    description: 'A rule that moves recordings to the recycle bin when they reach a certain age.',
  });

export const run = z
  .object({
    id: z.string(),
    tag: z.string().nullable(),
    after: z.int(),
    unit: z.enum(retentionUnits),
    started_at: time,
    moved: z
      .int()
      .describe('The number of recordings that the run moved, not counting those deleted since.'),
    in_bin: z
      .int()
      .describe('How many of them are still in the recycle bin. Undoing the run restores these.'),
  })
  .meta({
    id: 'RetentionRun',
    description: 'One execution of a rule that moved recordings, with a copy of the rule.',
  });

/** The run that moved a recording to the recycle bin. */
export const move = z
  .object({
    run: z.string().describe("The run's ID."),
    tag: z.string().nullable(),
    after: z.int(),
    unit: z.enum(retentionUnits),
    at: time.describe('When the run started.'),
  })
  .meta({
    id: 'AutomaticMove',
    description: 'The run that moved a recording to the recycle bin, with a copy of its rule.',
  });

export const affected = z
  .object({
    id: z.string(),
    client_flag: z.string(),
    title: z.string().describe("The recording's name, or else its generated title."),
    recorded_at: time,
    total_time: z.int().describe('The duration in seconds.'),
    in_bin: z.boolean(),
  })
  .meta({ id: 'AffectedRecording', description: 'A recording that a retention rule moves.' });

/** Lists the rules. */
export const index = { body: nothing, data: z.object({ list: z.array(rule) }) };
/** Returns the recordings that a rule would move now, without saving the rule. */
export const preview = {
  body: z.object({ ...scope, ...paging }).refine(isAllowedAge, ageError),
  data: pageSchema(affected).extend({
    protected: z
      .int()
      .describe(
        'How many other recordings of this age the rule would skip because they are protected.',
      ),
    not_stored: z
      .int()
      .describe('How many it would skip because the server has no verified copy of their audio.'),
    transcribing: z.int().describe('How many it would skip because they are being transcribed.'),
    shared: z.int().describe('How many it would skip because they have a valid share link.'),
  }),
};
/** Creates a rule. With `id`, changes that rule, or confirms it so that it continues after a pause. */
export const save = {
  body: z.object({ id: id.optional(), ...scope }).refine(isAllowedAge, ageError),
  data: rule,
};
export const remove = { body: z.object({ id }), data: z.object({}) };
export const runs = { body: z.object(paging), data: pageSchema(run) };
export const moved = { body: z.object({ id, ...paging }), data: pageSchema(affected) };
/** Restores the recordings of a run that have stayed in the recycle bin since the run. */
export const undo = {
  body: z.object({ id }),
  data: z.object({ recovered: z.int().describe('The number of restored recordings.') }),
};
