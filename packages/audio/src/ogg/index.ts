export {
  demuxOgg,
  MAX_PACKET_BYTES,
  type OggOpus,
  type OggOpusHead,
  OggOpusReader,
} from './demuxer.ts';
export { muxOgg, OggOpusMuxer } from './muxer.ts';
export { writePage } from './page.ts';
