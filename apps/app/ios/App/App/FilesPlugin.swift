import Capacitor
import UIKit

/// Receives files that other apps share, and saves exported files at a location that the user chooses. Received files
/// are stored until they are dropped.
@objc(FilesPlugin)
class FilesPlugin: CAPPlugin, CAPBridgedPlugin, UIDocumentPickerDelegate {
    let identifier = "FilesPlugin"
    let jsName = "Files"
    let pluginMethods: [CAPPluginMethod] = [
        CAPPluginMethod(name: "write", returnType: CAPPluginReturnPromise),
        CAPPluginMethod(name: "save", returnType: CAPPluginReturnPromise),
        CAPPluginMethod(name: "discard", returnType: CAPPluginReturnPromise),
        CAPPluginMethod(name: "shared", returnType: CAPPluginReturnPromise),
        CAPPluginMethod(name: "dropShared", returnType: CAPPluginReturnPromise)
    ]

    private let files = FileManager.default
    /// The call that waits until the user has chosen a location.
    private var pendingSave: CAPPluginCall?

    override func load() {
        // Delete files that were written for other apps before this start.
        try? files.removeItem(at: outbox)
        NotificationCenter.default.addObserver(
            self, selector: #selector(onFileShared), name: .capacitorOpenURL, object: nil)
    }

    @objc private func onFileShared() {
        notifyListeners("shared", data: [:])
    }

    /// Writes a piece of an outgoing file. Piece 0 replaces an existing file. Resolves with the file's URI.
    @objc func write(_ call: CAPPluginCall) {
        guard let bytes = Data(base64Encoded: call.getString("data") ?? "") else {
            call.reject("Invalid base64 data.", "io_failed")
            return
        }
        do {
            let file = try outgoingFile(call)
            if call.getInt("piece") ?? 0 == 0 {
                try bytes.write(to: file)
            } else {
                let handle = try FileHandle(forWritingTo: file)
                defer { try? handle.close() }
                try handle.seekToEnd()
                try handle.write(contentsOf: bytes)
            }
            call.resolve(["uri": file.absoluteString])
        } catch {
            call.reject(error.localizedDescription, "storage_full", error)
        }
    }

    /// Saves a written file at a location that the user chooses. Resolves with whether it was saved.
    @objc func save(_ call: CAPPluginCall) {
        DispatchQueue.main.async {
            do {
                let picker = UIDocumentPickerViewController(
                    forExporting: [try self.outgoingFile(call)], asCopy: true)
                picker.delegate = self
                self.pendingSave?.resolve(["saved": false])
                self.pendingSave = call
                self.bridge?.viewController?.present(picker, animated: true)
            } catch {
                call.reject(error.localizedDescription, "storage_full", error)
            }
        }
    }

    func documentPicker(_ picker: UIDocumentPickerViewController, didPickDocumentsAt urls: [URL]) {
        pendingSave?.resolve(["saved": !urls.isEmpty])
        pendingSave = nil
    }

    func documentPickerWasCancelled(_ picker: UIDocumentPickerViewController) {
        pendingSave?.resolve(["saved": false])
        pendingSave = nil
    }

    /// Deletes a written file.
    @objc func discard(_ call: CAPPluginCall) {
        do {
            let file = try outgoingFile(call)
            if files.fileExists(atPath: file.path) { try files.removeItem(at: file) }
            call.resolve()
        } catch {
            call.reject(error.localizedDescription, "io_failed", error)
        }
    }

    /// Lists the received files that are not dropped yet, oldest first. iOS stores them in the inbox.
    @objc func shared(_ call: CAPPluginCall) {
        do {
            let keys: [URLResourceKey] = [.contentModificationDateKey, .addedToDirectoryDateKey]
            let urls = files.fileExists(atPath: inbox.path)
                ? try files.contentsOfDirectory(at: inbox, includingPropertiesForKeys: keys) : []
            let received = try urls.map { file -> (file: URL, modified: Date, added: Date?) in
                let values = try file.resourceValues(forKeys: Set(keys))
                return (file, values.contentModificationDate ?? Date(), values.addedToDirectoryDate)
            }
            let result = received.sorted { $0.modified < $1.modified }.map { file, modified, added -> [String: Any] in
                [
                    "uri": file.absoluteString,
                    "name": file.lastPathComponent,
                    "modified": self.milliseconds(modified),
                    // The time of receipt distinguishes files of the same name, because iOS reuses the names of
                    // dropped files.
                    "receivedAt": self.milliseconds(added ?? modified)
                ]
            }
            call.resolve(["files": result])
        } catch {
            call.reject(error.localizedDescription, "io_failed", error)
        }
    }

    @objc func dropShared(_ call: CAPPluginCall) {
        do {
            let name = URL(string: call.getString("uri") ?? "")?.lastPathComponent ?? ""
            let file = inbox.appendingPathComponent(name)
            if !name.isEmpty, files.fileExists(atPath: file.path) { try files.removeItem(at: file) }
            call.resolve()
        } catch {
            call.reject(error.localizedDescription, "io_failed", error)
        }
    }

    private func milliseconds(_ date: Date) -> Double {
        (date.timeIntervalSince1970 * 1000).rounded()
    }

    private var inbox: URL {
        files.urls(for: .documentDirectory, in: .userDomainMask)[0].appendingPathComponent("Inbox")
    }

    private var outbox: URL {
        files.urls(for: .cachesDirectory, in: .userDomainMask)[0].appendingPathComponent("outgoing")
    }

    /// Returns the outgoing file of a call. Only the last component of its name is used, so that it is in the folder.
    private func outgoingFile(_ call: CAPPluginCall) throws -> URL {
        try files.createDirectory(at: outbox, withIntermediateDirectories: true)
        let name = ((call.getString("name") ?? "") as NSString).lastPathComponent
        return outbox.appendingPathComponent(name.isEmpty ? "file" : name)
    }
}
