import Capacitor
import NetworkExtension

/// Joins a recorder's network with the user's consent, until it is left.
///
/// Rejects with `declined` if the user refuses, the network is not joined within `timeoutMs`, or it is left in the
/// meantime; `unsupported` for names or passwords that are invalid under WPA2, and without the entitlement; `failed`
/// otherwise.
@objc(RecorderNetworkPlugin)
class RecorderNetworkPlugin: CAPPlugin, CAPBridgedPlugin {
    let identifier = "RecorderNetworkPlugin"
    let jsName = "RecorderNetwork"
    let pluginMethods: [CAPPluginMethod] = [
        CAPPluginMethod(name: "join", returnType: CAPPluginReturnPromise),
        CAPPluginMethod(name: "leave", returnType: CAPPluginReturnPromise)
    ]

    /// Time limit in seconds for the association after iOS has accepted the configuration. iOS reports success before
    /// the association, and even if it then shows an error to the user.
    private static let associationTimeout: TimeInterval = 15

    private let manager = NEHotspotConfigurationManager.shared

    /// The network last joined. Persisted, so that the next start leaves it if the app was terminated.
    private var joined: String? {
        get { UserDefaults.standard.string(forKey: "recorder-network") }
        set { UserDefaults.standard.set(newValue, forKey: "recorder-network") }
    }

    override func load() {
        leaveJoined()
    }

    @objc func join(_ call: CAPPluginCall) {
        guard let ssid = call.getString("ssid"), let password = call.getString("password") else {
            call.reject("Missing network name or password.", "unsupported")
            return
        }
        leaveJoined()
        let network = NEHotspotConfiguration(ssid: ssid, passphrase: password, isWEP: false)
        // With `joinOnce`, iOS leaves the network after some seconds in the background.
        network.joinOnce = false
        joined = ssid
        let deadline = Date(timeIntervalSinceNow: TimeInterval(call.getInt("timeoutMs") ?? 60_000) / 1000)
        manager.apply(network) { error in
            guard let error = error as NSError? else {
                let associationDeadline = Date(timeIntervalSinceNow: Self.associationTimeout)
                self.awaitAssociation(with: ssid, until: min(deadline, associationDeadline), for: call)
                return
            }
            guard error.domain == NEHotspotConfigurationErrorDomain else {
                call.reject(error.localizedDescription, "failed", error)
                return
            }
            switch NEHotspotConfigurationError(rawValue: error.code) {
            case .alreadyAssociated:
                call.resolve()
            case .userDenied:
                call.reject(error.localizedDescription, "declined", error)
            case .invalidSSID, .invalidWPAPassphrase, .invalid:
                call.reject(error.localizedDescription, "unsupported", error)
            default:
                call.reject(error.localizedDescription, "failed", error)
            }
        }
    }

    /// Leaves the network. Has no effect if none was joined.
    @objc func leave(_ call: CAPPluginCall) {
        leaveJoined()
        call.resolve()
    }

    /// Polls twice a second for the association.
    private func awaitAssociation(with ssid: String, until deadline: Date, for call: CAPPluginCall) {
        NEHotspotNetwork.fetchCurrent { current in
            if self.joined == ssid, current?.ssid == ssid {
                call.resolve()
            } else if self.joined == ssid, Date() < deadline {
                DispatchQueue.main.asyncAfter(deadline: .now() + 0.5) {
                    self.awaitAssociation(with: ssid, until: deadline, for: call)
                }
            } else {
                if self.joined == ssid { self.leaveJoined() }
                call.reject("The network was not joined.", "declined")
            }
        }
    }

    private func leaveJoined() {
        guard let ssid = joined else { return }
        manager.removeConfiguration(forSSID: ssid)
        joined = nil
    }
}
