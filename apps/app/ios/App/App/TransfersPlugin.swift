import Capacitor
import UIKit

/// Requests background time during transfers. iOS grants about half a minute and shows no notification. Bluetooth
/// transfers may continue longer, because the app has the background mode `bluetooth-central`. Recordings with the
/// microphone continue as long as WebKit captures audio, because the app has the background mode `audio`. WebKit
/// activates the audio session; a second session could interrupt it.
@objc(TransfersPlugin)
class TransfersPlugin: CAPPlugin, CAPBridgedPlugin {
    let identifier = "TransfersPlugin"
    let jsName = "Transfers"
    let pluginMethods: [CAPPluginMethod] = [
        CAPPluginMethod(name: "show", returnType: CAPPluginReturnPromise),
        CAPPluginMethod(name: "hide", returnType: CAPPluginReturnPromise)
    ]

    /// Accessed only on the main thread.
    private var task = UIBackgroundTaskIdentifier.invalid

    @objc func show(_ call: CAPPluginCall) {
        DispatchQueue.main.async {
            if self.task == .invalid {
                self.task = UIApplication.shared.beginBackgroundTask(withName: "transfer") { self.end() }
            }
            call.resolve()
        }
    }

    /// Ends the background task, if one is running.
    @objc func hide(_ call: CAPPluginCall) {
        DispatchQueue.main.async {
            self.end()
            call.resolve()
        }
    }

    private func end() {
        guard task != .invalid else { return }
        UIApplication.shared.endBackgroundTask(task)
        task = .invalid
    }
}
