export { type BluezOptions, EmulatedBluez } from './bluez.ts';
export { bluetoothLaunchOptions, chooseFirstDevice } from './chromium.ts';
export { omiPeripheral, virtualRecorder } from './peripheral.ts';
