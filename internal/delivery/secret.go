package delivery

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"strconv"
	"strings"
	"time"

	"preceptor/internal/platform/db"
	"preceptor/internal/platform/fault"
	"preceptor/internal/platform/id"
)

const (
	secretPrefix = "whsec_"
	secretBytes  = 32
	secretStays  = 24 * time.Hour // after a rotation
	maxSecrets   = 4              // that sign at the same time
)

// NewSecret makes a secret that signs.
func NewSecret() string {
	b := make([]byte, secretBytes)
	rand.Read(b) // never fails: crypto/rand aborts the program instead
	return secretPrefix + base64.StdEncoding.EncodeToString(b)
}

// sign is the header webhook-signature: one signature per secret, over id, time and body.
func sign(secrets []string, id string, at time.Time, body []byte) (string, error) {
	var out []string
	for _, secret := range secrets {
		key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(secret, secretPrefix))
		if err != nil {
			return "", fmt.Errorf("delivery: a secret that is no base64: %w", err)
		}
		mac := hmac.New(sha256.New, key)
		mac.Write([]byte(id + "." + strconv.FormatInt(at.Unix(), 10) + "."))
		mac.Write(body)
		out = append(out, "v1,"+base64.StdEncoding.EncodeToString(mac.Sum(nil)))
	}
	return strings.Join(out, " "), nil
}

// secretsTx are those that sign now, the current one first.
func secretsTx(tx *db.Tx, agentID string) (list []string, err error) {
	return db.Column[string](tx, "delivery: read secrets", `SELECT secret FROM webhook_secret
		WHERE agent_id = $1 AND (expires_at = 0 OR expires_at > $2)
		ORDER BY created_at DESC, id DESC`, agentID, tx.NowMs())
}

// addSecretTx makes the current secret; the one before runs out a day later.
func addSecretTx(tx *db.Tx, agentID string) (string, error) {
	if err := db.Exec(tx, "delivery: drop old secrets", `DELETE FROM webhook_secret
		WHERE agent_id = $1 AND expires_at > 0 AND expires_at <= $2`, agentID, tx.NowMs()); err != nil {
		return "", err
	}
	old, err := secretsTx(tx, agentID)
	if err != nil {
		return "", err
	}
	if len(old) >= maxSecrets {
		return "", fault.New(fault.Conflict,
			"There are already %d secrets in use. The oldest expires within a day; rotate again then.", len(old))
	}
	if err := db.Exec(tx, "delivery: date the old secret", `UPDATE webhook_secret SET expires_at = $1
		WHERE agent_id = $2 AND expires_at = 0`,
		tx.Now.Add(secretStays).UnixMilli(), agentID); err != nil {
		return "", err
	}
	secret := NewSecret()
	if err := db.Exec(tx, "delivery: add a secret", `INSERT INTO webhook_secret (id, agent_id, secret, created_at,
			expires_at)
		VALUES ($1, $2, $3, $4, 0)`,
		id.New(), agentID, secret, tx.NowMs()); err != nil {
		return "", err
	}
	return secret, nil
}
