/**
 * Latin words that stay untranslated: names of products, formats, units and standards. In languages with another
 * script, any other Latin word is untranslated English.
 */
export const untranslatedWords: readonly string[] = `
  Linnet Omi Pocket AI API VIP ID PIN SN QR LED USB UTC CRC MTU OTA HTTP HTTPS Bluetooth WiFi Wi Fi BLE LE Low Energy LAN GPS https com
  Android iPhone iPad iOS macOS Mac Windows Linux Chrome Chromium Edge Safari Firefox
  XMind xmind Word Pages LibreOffice Stripe JavaScript OpenAI openai PocketSphinx sherpa onnx
  TXT Markdown DOCX PDF SRT VTT WebVTT JSON WAV FLAC Ogg Opus MP ZIP PNG SVG kB KB MB GB TB dBm dB
  App ToDo OK Webhook WebDAV Nextcloud
  Cookie cookie Ctrl Shift Alt Esc Enter Tab Space Insert Delete
  MIT PROTOCOL RECORDER URLS md http linnet example org US
`
  .trim()
  .split(/\s+/);
