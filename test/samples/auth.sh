#region exchangeApiKey
curl "$BASE_URL/auth/authorize" \
  -H "Content-Type: application/json" \
  -d @- <<JSON
{"key": "$API_KEY", "secret": "$API_SECRET"}
JSON
#endregion

#region refreshTokens
curl "$BASE_URL/auth/refresh" \
  -H "Content-Type: application/json" \
  -d @- <<JSON
{"refreshToken": "$REFRESH_TOKEN"}
JSON
#endregion
