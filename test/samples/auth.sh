#region exchangeApiKey
curl "$BASE_URL/auth/authorize" \
  -H "Content-Type: application/json" \
  -d "{\"key\": \"$API_KEY\", \"secret\": \"$API_SECRET\"}"
#endregion

#region refreshTokens
curl "$BASE_URL/auth/refresh" \
  -H "Content-Type: application/json" \
  -d "{\"refreshToken\": \"$REFRESH_TOKEN\"}"
#endregion
