/**
 * Contains a self-signed certificate for `media.example.com` and 127.0.0.1, and its private key.
 * The key is only for tests, and is not secret. The certificate is valid until 2125, and was
 * created with `openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days
 * 36500 ...`.
 */

/** The private key of the test certificate, in PEM. */
export const key = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgX/NsD9P9fYS4AHu1
uAv5Oh1gQD9NFvvTmW3nmQcJnpmhRANCAATyxPK83g8eXfFOy1hgIDA25VRT/VtK
gf651tSV8aKT8g8l/JQzrcgm30DTRhz5gxzkNzOV49WzrGgsugAxpH8r
-----END PRIVATE KEY-----`

/** The certificate, which is signed with its own key. */
export const cert = `-----BEGIN CERTIFICATE-----
MIIBxDCCAWugAwIBAgIUY4jwXSHJTHmavM/iXG6iTqHgDFQwCgYIKoZIzj0EAwIw
JTEjMCEGA1UEAwwaVGVzdCBvZiB0aGUgZ3VhcmRlZCBjbGllbnQwIBcNMjYxMTIx
MDI0OTE1WhgPMjEyNjEwMjgwMjQ5MTVaMCUxIzAhBgNVBAMMGlRlc3Qgb2YgdGhl
IGd1YXJkZWQgY2xpZW50MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE8sTyvN4P
Hl3xTstYYCAwNuVUU/1bSoH+udbUlfGik/IPJfyUM63IJt9A00Yc+YMc5DczlePV
s6xoLLoAMaR/K6N3MHUwHQYDVR0OBBYEFCjpUvqfotLwvTJbQQzW+2AH5rtWMB8G
A1UdIwQYMBaAFCjpUvqfotLwvTJbQQzW+2AH5rtWMA8GA1UdEwEB/wQFMAMBAf8w
IgYDVR0RBBswGYIRbWVkaWEuZXhhbXBsZS5jb22HBH8AAAEwCgYIKoZIzj0EAwID
RwAwRAIgb62HHgn2WJD7Lofmb2d394GvvvSaFSzS50A/JohilzUCICqMKZm8SXY/
vrz7i5AQtAYvx54zS3St6sg73Jl2eXtV
-----END CERTIFICATE-----`
