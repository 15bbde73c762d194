import Capacitor
import NetworkExtension

/// Joins a recorder's network after iOS has asked its owner, until it is left.
///
/// Rejects with `declined` when the owner says no, it was not joined within `timeoutMs`, or was left meanwhile,
/// `unsupported` for names and passwords that WPA2 does not know
/// and where the entitlement is missing, `failed` for anything else.
@objc(RecorderNetworkPlugin)
class RecorderNetworkPlugin: CAPPlugin, CAPBridgedPlugin {
    let identifier = "RecorderNetworkPlugin"
    let jsName = "RecorderNetwork"
    let pluginMethods: [CAPPluginMethod] = [
        CAPPluginMethod(name: "join", returnType: CAPPluginReturnPromise),
        CAPPluginMethod(name: "leave", returnType: CAPPluginReturnPromise)
    ]

    /// Seconds that joining may take after iOS took it on: it says so before the phone is associated, and also when
    /// it told its owner that it could not.
    private static let associating: TimeInterval = 15

    private let manager = NEHotspotConfigurationManager.shared

    /// What was joined last; kept, so that the next start leaves what an end of the app did not.
    private var joined: String? {
        get { UserDefaults.standard.string(forKey: "recorder-network") }
        set { UserDefaults.standard.set(newValue, forKey: "recorder-network") }
    }

    override func load() {
        leaveJoined()
    }

    @objc func join(_ call: CAPPluginCall) {
        guard let ssid = call.getString("ssid"), let password = call.getString("password") else {
            call.reject("not a network that can be joined", "unsupported")
            return
        }
        leaveJoined()
        let network = NEHotspotConfiguration(ssid: ssid, passphrase: password, isWEP: false)
        // Joined once, it would be left as soon as the app is in the background for some seconds.
        network.joinOnce = false
        joined = ssid
        let deadline = Date(timeIntervalSinceNow: TimeInterval(call.getInt("timeoutMs") ?? 60_000) / 1000)
        manager.apply(network) { error in
            guard let error = error as NSError? else {
                let patience = Date(timeIntervalSinceNow: Self.associating)
                self.awaitAssociation(with: ssid, until: min(deadline, patience), for: call)
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

    /// Harmless when nothing was joined.
    @objc func leave(_ call: CAPPluginCall) {
        leaveJoined()
        call.resolve()
    }

    /// Looks twice a second whether the phone is on the network.
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
                call.reject("not joined", "declined")
            }
        }
    }

    private func leaveJoined() {
        guard let ssid = joined else { return }
        manager.removeConfiguration(forSSID: ssid)
        joined = nil
    }
}
